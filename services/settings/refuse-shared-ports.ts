import { StartupError } from '#services/foundation/startup-error'
import type { Settings } from './settings.ts'

/**
 * Stops a start whose settings give one port to two listeners. The second listener would only
 * report that the port is in use.
 * @throws StartupError
 */
export function refuseSharedPorts(settings: Settings, startsSandbox: boolean): void {
  const ports = [
    { name: 'PORT', port: settings.PORT },
    ...(startsSandbox ? [{ name: 'SANDBOX_PORT', port: settings.SANDBOX_PORT }] : []),
    ...(settings.METRICS_PORT === undefined
      ? []
      : [{ name: 'METRICS_PORT', port: settings.METRICS_PORT }]),
    ...(settings.BOUNCE_PORT === undefined
      ? []
      : [{ name: 'BOUNCE_PORT', port: settings.BOUNCE_PORT }]),
  ]
  for (const { port } of ports) {
    const names = ports.filter((other) => other.port === port).map(({ name }) => name)
    if (names.length === 1) continue
    throw new StartupError(
      `${names.join(' and ')} are the same port, ${port}: set ${names.slice(1).join(' and ')} to another port.`,
    )
  }
}
