import type { ReadModel } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { StartupError } from '#services/foundation/startup-error'

/**
 * This release's read model of that name.
 * @throws StartupError if there is none
 */
export function namedReadModel(name: string): ReadModel {
  const model = readModels.find((each) => each.name === name)
  if (!model)
    throw new StartupError(
      `There is no read model '${name}'. The read models are: ${namesOfReadModels}.`,
    )
  return model
}

export const namesOfReadModels = readModels.map(({ name }) => name).join(', ')
