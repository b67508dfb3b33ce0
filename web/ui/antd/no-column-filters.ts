/**
 * Replaces the filters in the headers of antd's table, which the console's lists do not have: their
 * filters are in the toolbar. The original brings antd's tree, menu, checkbox and radio button.
 */
export default function NoColumnFilters(): never {
  throw new Error(missing)
}

export function flattenKeys(): never {
  throw new Error(missing)
}

const missing =
  'The build has no filters in the headers of a table. Remove no-column-filters.ts from smaller-antd-plugin.ts to have them.'
