/**
 * Navigation away from the page, and files. Tests replace these functions, because jsdom has
 * neither.
 */
export const browser = {
  goTo(url: string): void {
    window.location.assign(url)
  },
  reload(): void {
    window.location.reload()
  },
  /** Saves a file as the browser saves a download. */
  saveFile(file: Blob, name: string): void {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = name
    link.click()
    // The browser has started the download when the next task runs.
    setTimeout(() => URL.revokeObjectURL(link.href), 0)
  },
}
