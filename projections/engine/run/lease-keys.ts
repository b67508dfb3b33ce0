import { leaseNames } from '#services/foundation/application-names'
import type { ReadModel } from '../read-model.ts'

type Identity = Pick<ReadModel, 'name' | 'version'>

/** The lock of the only projector of a read model or shard. */
export const projectingKey = ({ name, version }: Identity, shard = 0): string =>
  `${leaseNames.projecting} ${name} v${version}${shard === 0 ? '' : ` shard ${shard}`}`
/** The shared lock of all processes that project shards of a read model. */
export const sharingKey = ({ name, version }: Identity): string =>
  `${leaseNames.sharing} ${name} v${version}`
/** The lock of the only rebuild or verification of a read model. */
export const rebuildingKey = ({ name, version }: Identity): string =>
  `${leaseNames.rebuilding} ${name} v${version}`
