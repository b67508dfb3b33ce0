/** The addresses of an invented client's page, for previews: as long as real ones. */
export function exampleLinks(publicUrl: string): {
  readonly portalUrl: string
  readonly stopUrl: string
} {
  const portalUrl = `${publicUrl}/pay/k7Qm2VxTz9RbWc4nYdE1Ug`
  return { portalUrl, stopUrl: `${portalUrl}/stop` }
}
