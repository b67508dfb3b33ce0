import { fireEvent, screen } from '@testing-library/react'

/**
 * Fills in the required fields of the company profile, each in one step: typing every character
 * takes seconds.
 */
export function fillProfile(): void {
  for (const [label, value] of [
    ['Full name', 'Dana Whitlock'],
    ['Company name', 'Birchwood Dental Group'],
    ['Domain', 'Dental'],
    ['Address', '418 Orchard Lane'],
    ['State', 'Minnesota'],
    ['ZIP code', '55802'],
    ['Support email', 'help@birchwooddental.example'],
    ['Support phone', '(218) 555-0147'],
  ] as const) {
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  }
}
