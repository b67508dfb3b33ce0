/** Navigation away from the page. Tests replace these functions, because jsdom cannot navigate. */
export const browser = {
  goTo(url: string): void {
    window.location.assign(url)
  },
  reload(): void {
    window.location.reload()
  },
}
