import { currencyExponent } from '#contracts/currency'
import type { Instant } from '#contracts/instant'

/**
 * A cell of a table. Only `text` can come from a customer: each format writes it so that no
 * spreadsheet runs it as a formula (contracts/formula-guard.ts). `number` has `decimals` decimals.
 * `time` is in UTC. `day` is a calendar day without a time (`2026-03-31`). Null is an empty cell.
 */
export type Cell =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number; readonly decimals: number }
  | { readonly kind: 'time'; readonly at: Instant }
  | { readonly kind: 'day'; readonly day: string }
  | null

/** A column of a table. `width` is in characters. */
export interface Column<Item> {
  readonly header: string
  readonly width: number
  readonly cell: (item: Item) => Cell
}

/** An empty text is an empty cell. */
export function text(value: string | null): Cell {
  return value === null || value === '' ? null : { kind: 'text', text: value }
}

/** A number without decimals. */
export function count(value: number | null): Cell {
  return value === null ? null : { kind: 'number', value, decimals: 0 }
}

/** Decimal major units. The currency has a separate column. */
export function amount(major: number | null, currency: string): Cell {
  return major === null
    ? null
    : { kind: 'number', value: major, decimals: currencyExponent(currency) }
}

export function time(at: Instant | null): Cell {
  return at === null ? null : { kind: 'time', at }
}

/** `value` is a calendar day: `2026-03-31`. */
export function day(value: string | null): Cell {
  return value === null ? null : { kind: 'day', day: value }
}
