import { z } from 'zod'

/** A time in UTC, as an ISO 8601 string that ends in Z: `2026-03-03T09:12:00.000Z`. */
export const instant = z.iso.datetime({ offset: false })

export type Instant = z.infer<typeof instant>
