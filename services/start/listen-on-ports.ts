import { listen, listenWhenServed } from '#services/http/listen'
import { opensWhenReady } from '#services/settings/config'
import { drainMs } from './drain-ms.ts'
import type { StartContext } from './start-context.ts'

/**
 * The ports are taken first, so that a second start on them does not touch the data.
 * @throws StartupError if a port cannot be used
 */
export async function listenOnPorts({ config, started }: Pick<StartContext, 'config' | 'started'>) {
  const server = await (opensWhenReady(config) ? listenWhenServed : listen)(
    config.port,
    config.host,
  )
  started.addServer('HTTP server', () => server.close(drainMs))
  if (config.metrics === null) return { server, metricsServer: null }
  const metricsServer = await listen(config.metrics.port, config.metrics.host, 'METRICS_PORT')
  started.addServer('metrics server', () => metricsServer.close(0))
  return { server, metricsServer }
}
