/**
 * Navigation away from the page, files and the clipboard. Tests replace these functions, because
 * jsdom has none of them.
 */
export const browser = {
  goTo(url: string): void {
    window.location.assign(url)
  },
  /** Back then skips the present page. */
  replaceWith(url: string): void {
    window.location.replace(url)
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
  /** Resolves to false if the browser refuses, for example on a page over plain http. */
  async copyText(text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      return false
    }
  },
}
