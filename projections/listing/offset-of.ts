interface PageRequest {
  readonly page: number
  readonly pageSize: number
}

/** The number of rows before the first row of the page. */
export function offsetOf({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize
}
