/**
 * Keeps the amount on the button and the count in step with the boxes, and picks all or the overdue
 * ones without loading the page. The form works without it.
 */
export function followBoxes(panel: HTMLElement): void {
  const boxes = [...panel.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
  const sum = panel.querySelector<HTMLElement>('[data-sum]')
  const count = panel.querySelector<HTMLElement>('[data-count]')
  const button = panel.querySelector<HTMLButtonElement>('.pay-commit button')
  const picks = [...panel.querySelectorAll<HTMLAnchorElement>('[data-pick]')]
  const { pay: currency = 'usd', digits = '2' } = panel.dataset
  const money = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const inMajor = 10 ** Number(digits)
  const isLate = (box: HTMLInputElement) => box.dataset['late'] !== undefined
  const picked: Readonly<Record<string, (box: HTMLInputElement) => boolean>> = {
    all: () => true,
    overdue: isLate,
  }

  const show = (): void => {
    const ticked = boxes.filter(({ checked }) => checked)
    const minor = ticked.reduce((total, box) => total + Number(box.dataset['open']), 0)
    if (sum) sum.textContent = money.format(minor / inMajor)
    if (count)
      count.textContent = `${ticked.length} ${ticked.length === 1 ? 'invoice' : 'invoices'}`
    if (button) button.disabled = ticked.length === 0
    for (const link of picks) {
      const wants = picked[link.dataset['pick'] ?? 'all']
      const isPicked = boxes.every((box) => box.checked === (wants?.(box) ?? true))
      if (isPicked) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  for (const box of boxes) box.addEventListener('change', show)
  for (const link of picks)
    link.addEventListener('click', (event) => {
      event.preventDefault()
      const wants = picked[link.dataset['pick'] ?? 'all']
      for (const box of boxes) box.checked = wants?.(box) ?? true
      show()
    })
  // A browser that goes back keeps the boxes as they were.
  window.addEventListener('pageshow', show)
  show()
}
