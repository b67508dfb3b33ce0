/** Leaving the page, in one replaceable place: jsdom cannot navigate, so tests put their own functions here. */
export const browser = {
  goTo(url: string): void {
    window.location.assign(url)
  },
  reload(): void {
    window.location.reload()
  },
}
