import { readAmount } from '../shared/amounts.ts'
import type { Day } from '../shared/days.ts'

/** What is typed: the text of each field by its name. A checked box is `yes`. */
export type Values = Readonly<Record<string, string>>

interface FieldBase {
  readonly name: string
  readonly label: string
  readonly optional?: boolean
  readonly initial?: string
  /** Half of the dialog's width. */
  readonly half?: boolean
  /** Below the field. */
  readonly hint?: string
  /** Without it the field always shows. */
  readonly isShown?: (values: Values) => boolean
}

export type ActField = FieldBase &
  (
    | { readonly kind: 'line'; readonly type?: 'email' | 'tel' | 'url' }
    | { readonly kind: 'lines' }
    | { readonly kind: 'amount'; readonly currency: string | ((values: Values) => string) }
    | { readonly kind: 'day'; readonly min?: Day; readonly max?: Day }
    | { readonly kind: 'check' }
    | {
        readonly kind: 'choice'
        readonly options: readonly { readonly value: string; readonly label: string }[]
      }
  )

/** The dialog of one act: what is asked, what will change, and the request. */
export interface ActForm {
  readonly title: string
  readonly intro?: string
  readonly isRisky?: boolean
  readonly fields: readonly ActField[]
  /** The text of the button. It repeats an amount. */
  readonly button: (values: Values) => string
  /** What will change, before it changes. */
  readonly says: (values: Values) => string
  /** The request, which the contract checks before it is sent. */
  readonly body: (values: Values) => object
  /** The toast after the act. */
  readonly done: string
}

export const initialValues = (fields: readonly ActField[]): Values =>
  Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial]))

/**
 * The values of a form whose initial values have changed from `before` to `after`: what was typed
 * stays, and an untouched field shows the newer value.
 */
export const renewedValues = (values: Values, before: Values, after: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    Object.entries(after).filter(([name]) => (values[name] ?? before[name]) === before[name]),
  ),
})

export const areEqual = (some: Values, other: Values): boolean =>
  Object.keys(other).every((name) => some[name] === other[name])

/** Minor units of a typed amount; 0 for a text that is no amount. */
export const amountIn = (values: Values, name: string, currency: string) =>
  readAmount(values[name] ?? '', currency).minor ?? 0

export const text = (values: Values, name: string) => (values[name] ?? '').trim()

/** A field that may be empty. */
export const orNull = (values: Values, name: string) => text(values, name) || null

/** The currency of an amount, which another field of the form can name. */
export const currencyOf = (field: Extract<ActField, { kind: 'amount' }>, values: Values) =>
  typeof field.currency === 'string' ? field.currency : field.currency(values)
