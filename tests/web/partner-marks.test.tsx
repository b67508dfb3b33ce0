import { describe, expect, it } from '@jest/globals'
import { render } from '@testing-library/react'
import { PartnerMark } from '../../web/features/landing/partner-marks.tsx'

describe('a partner mark', () => {
  it.each(['Northgate', 'Ledgerfold', 'Tallywell', 'Harrow Street', 'Clearmark'])(
    'of %s is a drawing in the color of the text, and the name as text',
    (name) => {
      const { container } = render(<PartnerMark name={name} />)
      expect(container).toHaveTextContent(name)
      expect(container.querySelector('svg[aria-hidden] path')).toHaveAttribute(
        'stroke',
        'currentColor',
      )
    },
  )

  it('of a name without a drawing is the name as text', () => {
    const { container } = render(<PartnerMark name="Another Company" />)
    expect(container).toHaveTextContent('Another Company')
    expect(container.querySelector('svg')).toBeNull()
  })
})
