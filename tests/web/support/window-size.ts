/**
 * jsdom lacks `matchMedia`. This function adds it for queries of the least or the greatest width.
 * The returned function changes the width of the window in CSS pixels.
 */
export function installMatchMedia(width: number): (width: number) => void {
  const lists = new Set<WidthQuery>()
  let current = width
  class WidthQuery extends EventTarget implements MediaQueryList {
    readonly onchange = null
    readonly media: string
    constructor(media: string) {
      super()
      this.media = media
      lists.add(this)
    }
    get matches(): boolean {
      const [, bound, px] = /(min|max)-width: (\d+)px/.exec(this.media) ?? []
      return bound === 'max' ? current <= Number(px) : current >= Number(px)
    }
    addListener(): void {}
    removeListener(): void {}
  }
  window.matchMedia = (query) => new WidthQuery(query)
  return (next) => {
    current = next
    for (const list of lists) list.dispatchEvent(new Event('change'))
  }
}
