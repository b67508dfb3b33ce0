const max = 5

/** The first five names, and '…' if there are more. */
export function nameSome(names: ReadonlySet<string>): string {
  return `${[...names].slice(0, max).join(', ')}${names.size > max ? ' …' : ''}`
}
