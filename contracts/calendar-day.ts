import { z } from 'zod'

/**
 * A day of the calendar without a time, such as `2026-11-25`. Which instants it has depends on a
 * time zone, which the reader knows. Texts of days sort in the order of time.
 */
export const calendarDay = z.iso.date()
