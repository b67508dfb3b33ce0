import type { z } from 'zod'
import { readAmount } from '../shared/amounts.ts'
import { currencyOf, type ActField, type Values } from './act-form.ts'

/** The problem of a field by its name, as a sentence. */
export type Problems = Readonly<Record<string, string>>

/** Fields that are not shown are not checked. */
export function problemsOf(
  fields: readonly ActField[],
  values: Values,
  schema: z.ZodType,
  body: object,
): Problems {
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const problem = fieldProblem(field, values)
    if (problem !== null) problems[field.name] = problem
  }
  const issues = schema.safeParse(body).error?.issues ?? []
  for (const { path, message } of issues.toReversed()) {
    const field = fields.find(({ name }) => name === path[0])
    if (field && !(field.name in problems)) problems[field.name] = sentence(field, message)
  }
  return problems
}

function fieldProblem(field: ActField, values: Values): string | null {
  const value = values[field.name] ?? ''
  if (field.kind === 'amount') return readAmount(value, currencyOf(field, values)).problem ?? null
  if (field.kind !== 'day' || (value === '' && field.optional)) return null
  if (value === '') return 'Choose a day.'
  if (value < '2000' || value >= '2100') return 'Enter a day of the years 2000 to 2099.'
  return null
}

/** A message of the contract can continue the name of its field. */
const sentence = ({ label }: ActField, message: string) =>
  /^[a-z]/.test(message) ? `${label} ${message}` : message
