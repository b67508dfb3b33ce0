import { z } from 'zod'
import { mayGrow } from './define-event.ts'

/* What the events about reminders share. */

/** How a message reaches a client. Screens call them e-mail and text. */
export const channel = mayGrow(z.enum(['mail', 'text']))

/** From weak to strong. */
export const tone = mayGrow(z.enum(['friendly', 'firm', 'final']))

/** The messages with words of the merchant: reminders by their tone, and the thanks. */
export const templateTone = mayGrow(z.enum(['friendly', 'firm', 'final', 'thanks']))

export type TemplateTone = z.infer<typeof templateTone>
export type Channel = z.infer<typeof channel>
export type Tone = z.infer<typeof tone>
