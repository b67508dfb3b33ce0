import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../machine/free-port.ts'
import { temporaryDirectory } from '../machine/temporary-directory.ts'
import { startProduct, type RunningProduct } from './run-product.ts'

export interface TracedProduct extends RunningProduct {
  metrics(): Promise<string>
  /** Stops the product, once. */
  end(): Promise<End>
}

interface End {
  readonly code: number | null
  /** The files of OpenTelemetry that the product loaded. */
  readonly loaded: readonly string[]
}

/** Starts the product with metrics and log lines. `env` has OpenTelemetry's settings. */
export async function startTracedProduct(
  env: Readonly<Record<string, string>>,
): Promise<TracedProduct> {
  const directory = await temporaryDirectory()
  const loadedFile = join(directory.path, 'loaded.json')
  const probe = join(directory.path, 'probe.cjs')
  writeFileSync(
    probe,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(loadedFile)},
      JSON.stringify(Object.keys(require.cache).filter((path) => path.includes('@opentelemetry')))))`,
  )
  const metricsPort = String(await freePort())
  const product = await startProduct({
    onTestServer: true,
    env: {
      METRICS_PORT: metricsPort,
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--require ${probe}`,
      ...env,
    },
  })
  const stop = async (): Promise<End> => {
    const code = await product.stop()
    const loaded = z.array(z.string()).parse(JSON.parse(readFileSync(loadedFile, 'utf8')))
    await directory.remove()
    return { code, loaded }
  }
  let ending: Promise<End> | null = null
  return {
    ...product,
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    end: () => (ending ??= stop()),
  }
}
