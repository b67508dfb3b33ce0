import type { ReactNode } from 'react'
import type { ReasonDrawing } from '#contracts/brand/site-content-type'
import { EmbossingPress } from './illustrations/embossing-press.tsx'
import { LetterBalance } from './illustrations/letter-balance.tsx'
import { Metronome } from './illustrations/metronome.tsx'
import { PerpetualCalendar } from './illustrations/perpetual-calendar.tsx'
import { PlumbLine } from './illustrations/plumb-line.tsx'
import { SurveyorsChain } from './illustrations/surveyors-chain.tsx'

export const reasonDrawings: Readonly<Record<ReasonDrawing, ReactNode>> = {
  metronome: <Metronome />,
  'letter-balance': <LetterBalance />,
  'embossing-press': <EmbossingPress />,
  'plumb-line': <PlumbLine />,
  'surveyors-chain': <SurveyorsChain />,
  'perpetual-calendar': <PerpetualCalendar />,
}
