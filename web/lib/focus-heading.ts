/**
 * Focuses the heading of the panel that contains the element. For a button that its press disables
 * or removes: otherwise the focus falls to the start of the page. Without an element, because the
 * panel is gone, focuses the page's heading.
 */
export function focusPanelHeading(inside: Element | null): void {
  if (inside === null) focusPageHeading()
  else focus(inside.closest('section')?.querySelector<HTMLElement>('h2, h3'))
}

/** The same for a button whose whole panel is replaced: focuses the page's heading or content. */
export function focusPageHeading(): void {
  focus(document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main'))
}

function focus(target: HTMLElement | null | undefined): void {
  if (!target) return
  // A heading can have the focus only with a tab index. -1 keeps it out of the order of Tab.
  target.tabIndex = -1
  target.focus()
}
