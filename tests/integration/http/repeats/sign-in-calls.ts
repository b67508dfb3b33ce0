import { profile } from '../../../support/product/client.ts'
import type { AppSide } from '../../../support/product/app-side.ts'
import { accessOf, ofCustomer } from './of-customer.ts'
import type { Prepare } from './walk.ts'

/** A new visitor who has entered the address and the profile, and has a code. */
const withCode = async (side: AppSide) => {
  const email = side.newEmail()
  const client = side.client()
  await client.post('/api/auth/check-user', { email })
  const { body } = await client.post('/api/auth/complete-signup', { ...profile, email })
  await client.post('/api/auth/request-otp', { email })
  const otp = await side.codeOf(email)
  return { email, client, userId: String(body?.['userId']), otp }
}

export const signInCalls = {
  'POST /api/auth/check-user': async (side) => {
    const email = side.newEmail()
    const client = side.client()
    return {
      email,
      comparesBody: true,
      send: () => client.post('/api/auth/check-user', { email }),
    }
  },
  'POST /api/auth/complete-signup': async (side) => {
    const email = side.newEmail()
    const client = side.client()
    await client.post('/api/auth/check-user', { email })
    return {
      email,
      comparesBody: true,
      send: () => client.post('/api/auth/complete-signup', { ...profile, email }),
    }
  },
  'POST /api/auth/request-otp': async (side) => {
    const { email, userId } = await side.newCustomer()
    const client = side.client()
    return {
      email,
      userId,
      comparesBody: true,
      send: () => client.post('/api/auth/request-otp', { email }),
      world: () => accessOf(side, client, userId),
    }
  },
  'POST /api/auth/verify-otp': async (side) => {
    const { email, client, userId, otp } = await withCode(side)
    return {
      email,
      userId,
      comparesBody: true,
      send: () => client.post('/api/auth/verify-otp', { userId, otp }),
      world: () => accessOf(side, client, userId),
    }
  },
  'POST /api/auth/verify-otp of another browser': async (side) => {
    const { email, userId, otp } = await withCode(side)
    const client = side.client()
    return {
      email,
      userId,
      comparesBody: true,
      send: () => client.post('/api/auth/verify-otp', { userId, otp }),
      world: () => accessOf(side, client, userId),
    }
  },
  'POST /api/auth/logout': ofCustomer('POST /api/auth/logout', () => ({}), {
    mayMissEvents: true,
  }),
  'POST /api/auth/sessions/:id/end': ofCustomer('POST', () => ({}), {
    path: async ({ userId, email, client }, side) => {
      await side.signInAs(userId, email)
      const { body } = await client.get('/api/auth/sessions')
      const sessions = (body?.['sessions'] ?? []) as { id: string; isCurrent: boolean }[]
      return `/api/auth/sessions/${sessions.find(({ isCurrent }) => !isCurrent)?.id}/end`
    },
    mayMissEvents: true,
  }),
  'POST /api/auth/sessions/:id/end of the current session': ofCustomer('POST', () => ({}), {
    path: async ({ client }) => {
      const { body } = await client.get('/api/auth/sessions')
      const sessions = (body?.['sessions'] ?? []) as { id: string; isCurrent: boolean }[]
      return `/api/auth/sessions/${sessions.find(({ isCurrent }) => isCurrent)?.id}/end`
    },
    alsoComplete: 401,
    mayMissEvents: true,
  }),
  'POST /api/auth/sign-out-everywhere': ofCustomer(
    'POST /api/auth/sign-out-everywhere',
    () => ({}),
    {
      prepare: async ({ userId, email }, side) => void (await side.signInAs(userId, email)),
      alsoComplete: 401,
      mayMissEvents: true,
    },
  ),
  'POST /api/admin/login': async (side) => {
    const client = side.client()
    return {
      comparesBody: true,
      send: () => client.post('/api/admin/login', { password: side.adminPassword }),
      world: () => accessOf(side, client, undefined),
    }
  },
  'POST /api/admin/logout': async (side) => {
    const client = await side.admin()
    return {
      mayMissEvents: true,
      comparesBody: true,
      send: () => client.post('/api/admin/logout'),
      world: () => accessOf(side, client, undefined),
    }
  },
} as const satisfies Readonly<Record<string, Prepare>>
