import { enquiryStatusNames } from './enquiry-status.ts'
import { intervalCategoryNames } from './interval-category.ts'
import { userTypes } from './user-types.ts'

/*
 * The filters of an export as text and in words, for the history and the page of approvals. Free of
 * zod.
 */

/** The parameters of a list as text, without those that select everything. */
export function parametersAsText(parameters: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([, value]) => value !== undefined && value !== 'all')
      .map(([name, value]) => [name, String(value)]),
  )
}

/** `blocked` and `from 2026-03-01`. Empty without a filter: the order of rows is no filter. */
export function filtersInWords({
  sort: _sort,
  order: _order,
  ...filters
}: Readonly<Record<string, string>>): string {
  return Object.entries(filters)
    .map(([name, value]) => filterInWords(name, value))
    .join(' and ')
}

function filterInWords(name: string, value: string): string {
  switch (name) {
    case 'status':
      return textOf(enquiryStatusNames, value) ?? value.replaceAll('_', ' ')
    case 'userType':
      return userTypes.find(({ type }) => String(type) === value)?.label ?? value
    case 'interval':
      return textOf(intervalCategoryNames, value) ?? value
    default:
      return `${name} ${value}`
  }
}

function textOf(texts: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(texts, key) ? (texts[key] ?? null) : null
}
