import { expect, it } from '@jest/globals'
import { clientsExportQuery } from '#contracts/receivables/clients'
import { schemaOf } from '#projections/engine/read-model'
import { exportedClients } from '#projections/receivables/queries/exported-rows'
import { receivables } from '#projections/receivables/read-model'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import { firstDay, merchantId } from '../../support/receivables/arbitrary-receivable-commands.ts'

const db = sharedReadModelFixture()

it('an export of clients has each client once, also if the list changes between its parts', async () => {
  const ids = Array.from(
    { length: 1_200 },
    (_, index) => `client_${String(index).padStart(32, '0')}`,
  )
  const { details } = samplePayloads.ClientAdded
  const events = ids.map((clientId) =>
    recorded(`client-${clientId}`, {
      type: 'ClientAdded',
      data: { merchantId, clientId, details: { ...details, name: `Client ${clientId}` } },
    }),
  )
  await db.given(receivables, events, 1_200)
  const query = clientsExportQuery.parse({ filter: 'all', sort: 'name' })
  const found: string[] = []
  const { signal } = new AbortController()
  for await (const items of exportedClients(db.pool, merchantId, query, firstDay, signal)) {
    found.push(...items.map(({ clientId }) => clientId))
    await db.pool.query(
      `UPDATE ${schemaOf(receivables)}.client SET name_sort = 'z' || name_sort WHERE client_id < $1`,
      [ids[100]],
    )
  }
  expect(found).toEqual(ids)
})
