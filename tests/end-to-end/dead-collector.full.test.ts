import { describe, expect, it } from '@jest/globals'
import { freePort } from '../support/machine/free-port.ts'
import { createClient } from '../support/product/client.ts'
import { startTracedProduct } from '../support/product/traced-product.ts'
import { until } from '../support/machine/until.ts'

describe('a product whose collector is dead', () => {
  it('works, logs one line, counts the dropped spans and stops', async () => {
    const product = await startTracedProduct({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    })
    const client = createClient(product)
    await client.signUp('dana.traced@example.com')
    expect((await client.createCheckoutSession('dana.traced@example.com')).status).toBe(200)
    await until(
      async () => /^trace_spans_dropped_total [1-9]/m.test(await product.metrics()),
      'no span is counted as dropped',
      60,
    )
    expect(
      product.output().split('The collector of OTEL_EXPORTER_OTLP_ENDPOINT takes no traces'),
    ).toHaveLength(2)
    expect((await product.end()).code).toBe(0)
  }, 120_000)
})
