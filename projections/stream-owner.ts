/** The user that an account or billing stream belongs to: `billing-usr_1` is usr_1's. */
export function streamOwner(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}
