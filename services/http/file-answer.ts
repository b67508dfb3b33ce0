import type { Response } from 'express'
import { z } from 'zod'

/** The answer of an endpoint that declares `answers: 'file'`. */
export const fileAnswer = z.object({
  /** Letters, digits, dots and hyphens: the name is part of a header. */
  fileName: z.string().regex(/^[\w.-]+$/),
  mediaType: z.string(),
  content: z.string(),
})
type FileAnswer = z.infer<typeof fileAnswer>

export function sendFile(response: Response, { fileName, mediaType, content }: FileAnswer): void {
  response
    .type(mediaType)
    .set('Content-Disposition', `attachment; filename="${fileName}"`)
    .send(content)
}
