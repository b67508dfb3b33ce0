export function refuseMachine(file: () => string): {
  firstCall(): Error | null
  restore(): void
}
