import { expect, it } from '@jest/globals'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { projectionsOfRelease } from '#services/health/projections-of-release'

it('the metrics have the read models of this release, without the tables of another version', () => {
  const own = readModels.map((model) => ({ schema: schemaOf(model) }))
  const overview = { projections: [{ schema: 'users_v1' }, ...own], parked: [] }
  expect(projectionsOfRelease(overview)).toEqual({ projections: own, parked: [] })
})
