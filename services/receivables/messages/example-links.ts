/** The addresses of an invented client's page, for previews: as long as real ones. */
export function exampleLinks(publicUrl: string): {
  readonly portalUrl: string
  readonly stopUrl: string
} {
  const portalUrl = `${publicUrl}/pay/k7Qm2VxTz9RbWc4nYdE1UgH3sLp8aJfN6qBe0ZyKu5M`
  return { portalUrl, stopUrl: `${portalUrl}/stop` }
}
