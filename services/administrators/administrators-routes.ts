import { z } from 'zod'
import {
  addAdministratorRequest,
  administratorChanged,
  administratorsResponse,
  changeRoleRequest,
  renameAdministratorRequest,
} from '#contracts/admin/administrators'
import { roleNames } from '#contracts/admin/roles'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { administratorsStream } from '#services/foundation/stream-names'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import type { ReadContext } from '#services/http/read-your-writes'
import type { Routes } from '#services/http/routes'
import type { Administrators } from './administrators.ts'
import type { AdministratorsCommand } from './administrators-decider.ts'
import type { Administrator } from './administrators-state.ts'
import { refusedChange } from './refused-change.ts'

/** The query of the history's read model that the list uses. */
interface SignInQueries {
  /** Waits for the session's own writes. @throws HttpError 503 while it is being built */
  ready(context: ReadContext): Promise<void>
  lastSignIns(
    adminIds: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>
}

export interface AdministratorsParts {
  readonly administrators: Pick<Administrators, 'load' | 'change'>
  readonly queries: SignInQueries
  readonly log: {
    readonly store: Pick<EventStore, 'readStream'>
    readonly codec: Pick<EventCodec, 'decodeStream'>
  }
  /** Ends every session of the person, with its live streams, in every process. */
  readonly endSessions: (adminId: string) => Promise<void>
}

const params = z.object({ id: z.string().min(1).max(100) })

/** How an owner manages the administrators in the console. */
export function administratorsRoutes({
  administrators,
  queries,
  log,
  endSessions,
}: AdministratorsParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/administrators',
      summary: 'List the named administrators',
      access: 'admin',
      right: 'administrators',
      answer: administratorsResponse,
      async handle(_input, context) {
        await queries.ready(context)
        const { administrators: known } = await administrators.load()
        const [dates, signIns] = await Promise.all([
          datesOf(log),
          queries.lastSignIns([...known.keys()], context.signal),
        ])
        return {
          items: [...known.values()].flatMap((person) => {
            const { addedAt, endedAt } = dates.get(person.adminId) ?? {}
            if (addedAt === undefined) return []
            return [
              {
                id: person.adminId,
                name: person.name,
                email: person.email,
                role: person.role,
                added_at: addedAt,
                last_sign_in_at: signIns.get(person.adminId) ?? null,
                passkeys: person.passkeys.length,
                ended_at: endedAt ?? null,
              },
            ]
          }),
        }
      },
    })

    route({
      method: 'post',
      path: '/api/admin/administrators',
      appends: 'administrator',
      summary: 'Add an administrator',
      access: 'admin',
      right: 'administrators',
      body: addAdministratorRequest,
      answer: administratorChanged,
      alsoAnswers: [409],
      async handle({ body }, context) {
        // A repeat of the call with equal values is the same command, so it is the same person.
        const id = `adm_${context.commandId.slice(0, 36)}`
        await change({ type: 'add-administrator', person: { adminId: id, ...body } }, context)
        const { name, role } = await personOf(id)
        return { id, message: `${name} is an administrator with the role ${roleNames[role]}.` }
      },
    })

    route({
      method: 'patch',
      path: '/api/admin/administrators/:id',
      appends: 'administrator',
      summary: 'Change the role of an administrator',
      access: 'admin',
      right: 'administrators',
      params,
      body: changeRoleRequest,
      answer: administratorChanged,
      alsoAnswers: [404, 409],
      async handle({ params: { id }, body: { role } }, context) {
        await change({ type: 'change-role', adminId: id, to: role }, context)
        const { name } = await personOf(id)
        return { id, message: `${name} has the role ${roleNames[role]} from now on.` }
      },
    })

    route({
      method: 'post',
      path: '/api/admin/administrators/:id/rename',
      appends: 'administrator',
      summary: 'Change the name of an administrator, also in earlier events of the history',
      access: 'admin',
      right: 'administrators',
      params,
      body: renameAdministratorRequest,
      answer: administratorChanged,
      alsoAnswers: [404, 409],
      async handle({ params: { id }, body: { name } }, context) {
        const before = (await administrators.load()).administrators.get(id)
        if (before === undefined) throw refusedChange('unknown-administrator')
        const person = { adminId: id, name, email: before.email }
        await change({ type: 'rename-administrator', person }, context)
        return { id, message: `${before.name} has the name ${name} from now on.` }
      },
    })

    route({
      method: 'post',
      path: '/api/admin/administrators/:id/end',
      appends: 'administrator',
      summary: 'End an administrator, with all sessions and live pages',
      access: 'admin',
      right: 'administrators',
      params,
      answer: administratorChanged,
      alsoAnswers: [404, 409],
      async handle({ params: { id } }, context) {
        await change({ type: 'end-administrator', adminId: id }, context)
        // Also on a repeat: the first call may have failed between the event and this.
        await endSessions(id)
        const { name } = await personOf(id)
        return { id, message: `${name} is no administrator any more.` }
      },
    })
  }

  /** @throws HttpError with the sentence of the refusal */
  async function change(
    command: ByAnOwner<AdministratorsCommand>,
    context: RequestContext & { readonly adminId: string },
  ): Promise<void> {
    const { adminId } = context
    const refusal = await administrators.change(
      { ...command, by: { kind: 'administrator', adminId } },
      commandContext(context, { kind: 'admin', id: adminId }),
      (position) => context.admin.remember(position),
    )
    if (refusal !== null) throw refusedChange(refusal)
    context.log.info({ change: command.type, by: adminId }, 'The administrators were changed.')
  }

  /** After a change that found the person. */
  async function personOf(adminId: string): Promise<Administrator> {
    const found = (await administrators.load()).administrators.get(adminId)
    if (found !== undefined) return found
    throw new Error(`The changed administrator ${adminId} is not in the log. This is a bug.`)
  }
}

type ByAnOwner<Command> = Command extends unknown ? Omit<Command, 'at' | 'by'> : never

interface Dates {
  readonly addedAt: string
  readonly endedAt?: string
}

/** When each administrator was added and ended. */
async function datesOf({
  store,
  codec,
}: AdministratorsParts['log']): Promise<ReadonlyMap<string, Dates>> {
  const dates = new Map<string, Dates>()
  for (const event of await codec.decodeStream(await store.readStream(administratorsStream))) {
    const { occurredAt } = event.metadata
    if (event.type === 'AdministratorAdded') dates.set(event.data.adminId, { addedAt: occurredAt })
    const added = event.type === 'AdministratorEnded' ? dates.get(event.data.adminId) : undefined
    if (event.type === 'AdministratorEnded' && added !== undefined)
      dates.set(event.data.adminId, { ...added, endedAt: occurredAt })
  }
  return dates
}
