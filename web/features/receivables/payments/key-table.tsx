import type { ApiKeysResponse } from '#contracts/receivables/api-keys'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { ActsHead } from '../list/acts-head.tsx'
import { clockTime, instantDay } from '../shared/days.ts'

type Key = ApiKeysResponse['items'][number]

interface KeyTableProps {
  readonly keys: readonly Key[]
  readonly timeZone: string
  readonly onRevoke: (key: Key) => void
}

/** The keys, newest first. A revoked one stays, so that its uses can be understood. */
export function KeyTable({ keys, timeZone, onRevoke }: KeyTableProps) {
  return (
    <>
      <table className="rcv-table key-table" role="table" aria-label="Keys">
        <ActsHead titles={['Name', 'Made', 'Last used']} />
        <tbody role="rowgroup">
          {keys.map((key) => (
            <tr key={key.keyId} role="row">
              <td role="cell" className="who">
                <b dir="auto">{key.name}</b> <span className="mono key-ending">…{key.ending}</span>
              </td>
              <td role="cell" className="made keep">
                <span className="key-label">Made </span>
                {instantDay(key.madeAt, timeZone)}
              </td>
              <td role="cell" className="used">
                {key.lastUsedAt === null ? (
                  'Never used'
                ) : (
                  <>
                    <span className="key-label">Last used </span>
                    {instantDay(key.lastUsedAt, timeZone)}, {clockTime(key.lastUsedAt, timeZone)}
                  </>
                )}
              </td>
              <td role="cell" className="act right">
                {key.revokedAt === null ? (
                  <Button
                    look="link"
                    className="key-revoke"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => onRevoke(key)}
                  >
                    Revoke
                  </Button>
                ) : (
                  <Chip tone="ended">Revoked</Chip>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {keys.length === 0 && (
        <div className="rcv-empty">
          <p>No key. Make one for each program, so that you can revoke them one by one.</p>
        </div>
      )}
    </>
  )
}
