import type { AdministratorsCommand } from '#services/administrators/administrators-decider'
import { testContext } from '../../../support/data/test-context.ts'
import type { AppSide } from '../../../support/product/app-side.ts'
import {
  asserted,
  created,
  newPasskey,
  publicKeyOf,
} from '../../../support/webauthn/soft-authenticator.ts'
import type { Prepare } from './walk.ts'

const owner = { adminId: 'adm_owner', name: 'Dana Whitlock', role: 'owner' } as const
const reader = { adminId: 'adm_reader', name: 'Cy Berg', role: 'reader' } as const

/** One authenticator that does not count, so that all preparations record the same events. */
const passkey = newPasskey(Buffer.from(reader.adminId).toString('base64url'))
const passkeyId = passkey.id.toString('base64url')

/** The calls about passkeys. They need a world of their own: administrators are named. */
export const passkeyCalls = {
  'POST /api/admin/login/passkey/options': async (side) => {
    await prepared(side, 'with a passkey')
    const client = side.client()
    return {
      comparesBody: false,
      send: () => client.post('/api/admin/login/passkey/options'),
    }
  },
  'POST /api/admin/login/passkey': async (side) => {
    await prepared(side, 'with a passkey')
    const client = side.client()
    const { body } = await client.post('/api/admin/login/passkey/options')
    const assertion = asserted(passkey, ceremonyOf(side, body))
    return {
      comparesBody: true,
      send: () => client.post('/api/admin/login/passkey', assertion),
      world: async () => (await client.get('/api/auth/session')).body?.['isAdmin'],
    }
  },
  'POST /api/admin/passkeys/options': async (side) => {
    await prepared(side, 'without a passkey')
    const client = await side.signedInAdmin(reader.adminId)
    return { comparesBody: false, send: () => client.post('/api/admin/passkeys/options') }
  },
  'POST /api/admin/passkeys': async (side) => {
    await prepared(side, 'without a passkey')
    const client = await side.signedInAdmin(reader.adminId)
    const { body } = await client.post('/api/admin/passkeys/options')
    const made = created(passkey, ceremonyOf(side, body))
    return {
      comparesBody: true,
      send: () => client.post('/api/admin/passkeys', { label: 'Laptop', passkey: made }),
      world: () => passkeysOf(side),
    }
  },
  'PATCH /api/admin/passkeys/:passkeyId': async (side) => {
    await prepared(side, 'with a passkey')
    const client = await side.signedInAdmin(reader.adminId)
    return {
      comparesBody: true,
      send: () => client.send('PATCH', `/api/admin/passkeys/${passkeyId}`, { label: 'Desk' }),
      world: () => passkeysOf(side),
    }
  },
  'POST /api/admin/passkeys/:passkeyId/remove': async (side) => {
    await prepared(side, 'with a passkey')
    const other = await side.signedInAdmin(reader.adminId)
    const client = await side.signedInAdmin(reader.adminId)
    return {
      comparesBody: true,
      send: () => client.post(`/api/admin/passkeys/${passkeyId}/remove`),
      world: async () => [await passkeysOf(side), (await other.get('/api/admin/passkeys')).status],
    }
  },
  'POST /api/admin/administrators/:adminId/remove-passkeys': async (side) => {
    await prepared(side, 'with a passkey')
    const other = await side.signedInAdmin(reader.adminId)
    const client = await side.signedInAdmin(owner.adminId)
    return {
      // The repeat of a removal that was recorded has nothing left to remove.
      comparesBody: false,
      send: () => client.post(`/api/admin/administrators/${reader.adminId}/remove-passkeys`),
      world: async () => [await passkeysOf(side), (await other.get('/api/admin/passkeys')).status],
    }
  },
} as const satisfies Readonly<Record<string, Prepare>>

async function prepared(side: AppSide, how: 'with a passkey' | 'without a passkey') {
  for (const person of [owner, reader]) {
    const email = `${person.adminId}@agilereceivables.example`
    await change(side, {
      type: 'add-administrator',
      person: { ...person, email },
      by: { kind: 'operator' },
    })
  }
  const { adminId } = reader
  await change(side, { type: 'remove-passkeys', adminId, by: { kind: 'operator' } })
  if (how === 'with a passkey')
    await change(side, {
      type: 'add-passkey',
      adminId,
      passkey: {
        passkeyId,
        publicKey: publicKeyOf(passkey).toString('base64url'),
        transports: ['internal'],
        label: 'Laptop',
        counter: 0,
      },
      by: { kind: 'administrator', adminId },
    })
  // The changes of a walk are more than a person may make in a day.
  await side.pool.query('DELETE FROM app.rate_limit')
  await side.pool.query('DELETE FROM app.passkey_use')
}

type Undated<Command> = Command extends unknown ? Omit<Command, 'at'> : never

async function change(side: AppSide, command: Undated<AdministratorsCommand>): Promise<void> {
  const refusal = await side.administrators.change(command, testContext())
  if (refusal !== null) throw new Error(`The preparation was refused: ${refusal}.`)
}

async function passkeysOf(side: AppSide): Promise<readonly string[]> {
  const passkeys = (await side.administrators.passkeysOf(reader.adminId)) ?? []
  return passkeys.map(({ label }) => label)
}

function ceremonyOf({ publicUrl }: AppSide, body: Record<string, unknown> | null) {
  return { origin: publicUrl, rpId: 'localhost', challenge: String(body?.['challenge']) }
}
