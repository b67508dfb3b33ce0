/**
 * jsdom lacks the methods of the dialog element. This function adds the part that the pages use:
 * open and close, the focus on the first field, and the `cancel` event on Escape.
 */
export function installDialogElement(): void {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.setAttribute('open', '')
    this.querySelector<HTMLElement>('input, button, a[href]')?.focus()
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.dispatchEvent(new Event('cancel', { cancelable: true }))
    })
  }
  HTMLDialogElement.prototype.close = function close() {
    if (!this.hasAttribute('open')) return
    this.removeAttribute('open')
    this.dispatchEvent(new Event('close'))
  }
}
