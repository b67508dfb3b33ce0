import type { z } from 'zod'
import { erasedValue, protectionOf } from '#services/event-store/encryption/personal-fields'

/** The document of a row after the erasure of its customer: as a rebuild would fold it. */
export function withoutPerson<
  Row extends { readonly document: z.output<Schema> },
  Schema extends z.ZodObject,
>(schema: Schema): (row: Row) => Row {
  const erase = protectionOf(schema)
  return (row) => ({
    ...row,
    document: erase?.(row.document, '', () => erasedValue) as Row['document'],
  })
}
