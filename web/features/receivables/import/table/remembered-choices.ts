import { v5 } from 'uuid'
import { z } from 'zod'
import type { Table } from './table.ts'
import { plainName } from './target-names.ts'
import { amountTargets, dateTargets, targets, type Mapping } from './targets.ts'

const dayOrders = z.enum(['month-first', 'day-first'])
const decimalSigns = z.enum(['point', 'comma'])

const choices = z.object({
  mapping: z.array(z.enum(targets).nullable()),
  dayOrders: z.partialRecord(z.enum(dateTargets), dayOrders),
  decimalSigns: z.partialRecord(z.enum(amountTargets), decimalSigns),
})

/** What the merchant chose for a file: the targets of its columns, and the answers to questions. */
export type Choices = Readonly<z.infer<typeof choices>>

/** Where choices are kept, by key. */
export interface ChoicesStorage {
  readonly read: (key: string) => string | null
  readonly write: (key: string, text: string) => void
}

type Header = Pick<Table, 'columns' | 'proposed'>

/** Before the merchant chose anything. */
export const proposedChoices = ({ proposed }: Pick<Table, 'proposed'>): Choices => ({
  mapping: [...proposed],
  dayOrders: {},
  decimalSigns: {},
})

/** Files with the same names of columns in the same order have the same key. */
export const choicesKey = ({ columns }: Pick<Table, 'columns'>): string =>
  v5(columns.map(({ name }) => plainName(name)).join('\n'), '5d3b0a53-4c0f-4a39-9d27-2b7f7a51a6cf')

export function rememberChoices(storage: ChoicesStorage, table: Header, chosen: Choices): void {
  storage.write(choicesKey(table), JSON.stringify(chosen))
}

/** The choices of the last file with this header, or those that the header proposes. */
export function rememberedChoices(storage: ChoicesStorage, table: Header): Choices {
  const stored = storage.read(choicesKey(table))
  return (stored === null ? null : parsedChoices(stored, table)) ?? proposedChoices(table)
}

/** Null for a text that another release wrote, or that is damaged. */
function parsedChoices(text: string, { columns }: Header): Choices | null {
  const parsed = choices.safeParse(jsonOf(text))
  return parsed.success && fits(parsed.data.mapping, columns.length) ? parsed.data : null
}

const fits = (mapping: Mapping, columns: number) => {
  const used = mapping.filter((target) => target !== null)
  return mapping.length === columns && new Set(used).size === used.length
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON: the caller proposes the columns again.
    return null
  }
}
