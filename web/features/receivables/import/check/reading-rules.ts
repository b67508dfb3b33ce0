import { cellText } from '../file/file-row.ts'
import type { Table, TableRow } from '../table/table.ts'
import type { Choices } from '../table/remembered-choices.ts'
import {
  amountTargets,
  dateTargets,
  type AmountTarget,
  type DateTarget,
  type Target,
} from '../table/targets.ts'
import { currencyInName, currencyNamed } from '../values/currency-signs.ts'
import type { DecimalSign } from '../values/read-amount.ts'
import type { DayOrder } from '../values/read-date.ts'
import { amountColumn, dateColumn, mangledDates } from './column-questions.ts'
import type { Question } from './questions.ts'
import type { ReadingRules } from './read-fields.ts'

/** What the file and the merchant's profile say about all rows. */
export interface FileDefaults {
  /** The year from which the workbook counts its days. */
  readonly epoch: 1900 | 1904
  /** Of the profile, in lower case: of rows that name no currency. */
  readonly currency: string
}

interface Columns {
  readonly table: Table
  readonly invoices: readonly TableRow[]
  readonly choices: Choices
  readonly defaults: FileDefaults
}

interface FoundRules {
  /** Null if a question has no answer. */
  readonly rules: ReadingRules | null
  readonly questions: readonly Question[]
  readonly warnings: readonly string[]
}

/** How each column of dates and amounts is read, with the questions that the file leaves open. */
export function readingRules({ table, invoices, choices, defaults }: Columns): FoundRules {
  const { mapping } = choices
  const questions: Question[] = []
  const warnings: string[] = []
  const dayOrders: Partial<Record<DateTarget, DayOrder>> = {}
  const decimalSigns: Partial<Record<AmountTarget, DecimalSign>> = {}
  const indexOf = (target: Target) => mapping.indexOf(target)

  for (const target of dateTargets.filter((each) => mapping.includes(each))) {
    const index = indexOf(target)
    const { choice, question } = dateColumn(invoices, { target, index, choices })
    if (choice !== null) dayOrders[target] = choice
    if (question !== null) questions.push(question)
    const mangled = mangledDates(invoices, index, table.columns[index]?.name ?? '')
    if (mangled !== null) warnings.push(mangled)
  }
  const units: Partial<Record<AmountTarget, string>> = {}
  for (const target of amountTargets.filter((each) => mapping.includes(each))) {
    const index = indexOf(target)
    const ofColumn = currencyInName(table.columns[index]?.name ?? '')
    units[target] = ofColumn
    const currencyOf = ({ cells }: TableRow, unit: string) => {
      const named = cellText(cells[indexOf('currency')]) || unit || ofColumn
      return named === '' ? defaults.currency : currencyNamed(named, defaults.currency)
    }
    const column = { target, index, choices, currencyOf }
    const { choice, question } = amountColumn(invoices, column)
    if (choice !== null) decimalSigns[target] = choice
    if (question !== null) questions.push(question)
  }
  const isAnswered = questions.every(({ answer }) => answer !== null)
  return {
    rules: isAnswered ? { mapping, dayOrders, decimalSigns, units, ...defaults } : null,
    questions,
    warnings,
  }
}
