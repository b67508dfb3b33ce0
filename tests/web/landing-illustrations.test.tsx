import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { EmbossingPress } from '../../web/features/landing/illustrations/embossing-press.tsx'
import { LetterBalance } from '../../web/features/landing/illustrations/letter-balance.tsx'
import { Metronome } from '../../web/features/landing/illustrations/metronome.tsx'
import { PerpetualCalendar } from '../../web/features/landing/illustrations/perpetual-calendar.tsx'
import { PlumbLine } from '../../web/features/landing/illustrations/plumb-line.tsx'
import { SurveyorsChain } from '../../web/features/landing/illustrations/surveyors-chain.tsx'

const illustrations: readonly [ComponentType, RegExp][] = [
  [Metronome, /^A metronome/],
  [LetterBalance, /^A letter balance.* 5%$/],
  [EmbossingPress, /^An embossing press/],
  [PlumbLine, /^A plumb line/],
  [SurveyorsChain, /^A surveyor's chain/],
  [PerpetualCalendar, /^A perpetual calendar.* 18$/],
]

describe('the illustrations of the landing page', () => {
  it.each(illustrations)('%p is an image with a name, in one frame', (Picture, name) => {
    render(<Picture />)
    expect(screen.getByRole('img', { name })).toHaveAttribute('viewBox', '48 22 424 378')
  })

  it.each(illustrations)('%p takes its colors from the tokens', (Picture) => {
    const markup = render(<Picture />).container.innerHTML
    expect(markup).not.toMatch(/#[\da-f]{3,8}\b|rgb|hsl/i)
    expect(markup).toMatch(/il-needle|--il-accent/)
  })

  it.each(illustrations)('%p is smaller than 2 kB when compressed', (Picture) => {
    const markup = render(<Picture />).container.innerHTML
    expect(gzipSync(markup).length).toBeLessThan(2048)
  })
})
