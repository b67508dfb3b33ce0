import { z } from 'zod'

/*
 * Column types of PostgreSQL, as pg returns them, for the schemas of rows. text, integer, smallint
 * and boolean are z.string(), z.int() and z.boolean(). uuid is text.
 */

/** timestamptz, as a Date. */
export const dateColumn = z.date('must be a timestamp.')

/** timestamptz, as an instant: `2026-03-03T09:12:00.000Z`. */
export const instantColumn = dateColumn.transform((date) => date.toISOString())

/**
 * bigint or numeric without decimals, as a number: a count, a size in bytes, or minor units. pg
 * returns the text, because a bigint can exceed the safe integers.
 */
export const integerColumn = z
  .string('must be a bigint.')
  .regex(/^-?\d{1,16}$/, 'must be a whole number that JavaScript can hold.')
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be a whole number that JavaScript can hold.')

/** A position of the event log: opaque text. */
export const positionColumn = z.string()

/** bytea. */
export const bytesColumn = z.instanceof(Buffer, { error: 'must be binary data.' })
