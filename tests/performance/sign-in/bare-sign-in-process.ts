import {
  createHash,
  randomBytes,
  randomInt,
  randomUUID,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import express from 'express'
import nodemailer from 'nodemailer'
import pg from 'pg'
import { z } from 'zod'

/*
 * The sign-in that the benchmark compares with: express, pg, scrypt and nodemailer, with the writes
 * of the product's sign-in and without its rules. It encrypts nothing and has no sessions of
 * express-session and no contracts. It runs in a separate process until the benchmark disconnects.
 */

const [connectionString, smtpPort] = process.argv.slice(2)
if (connectionString === undefined || smtpPort === undefined || process.send === undefined)
  throw new Error('Only the benchmark starts this process: run `npm run bench -- sign-in`.')

const hashOf = promisify<string, Buffer, number, Buffer>(scrypt)
const pool = new pg.Pool({ connectionString, max: 10 })
const mails = nodemailer.createTransport({ url: `smtp://127.0.0.1:${smtpPort}` })
await pool.query(`
  DROP SCHEMA IF EXISTS bare CASCADE; CREATE SCHEMA bare;
  CREATE TABLE bare.rate_limit (key text PRIMARY KEY, points int NOT NULL, expire timestamptz NOT NULL);
  CREATE TABLE bare.code (user_id text PRIMARY KEY, salt bytea NOT NULL, hash bytea NOT NULL, tries int NOT NULL, used boolean NOT NULL);
  CREATE TABLE bare.session (sid text PRIMARY KEY, sess json NOT NULL, expire timestamptz NOT NULL);
  CREATE TABLE bare.event (position bigserial PRIMARY KEY, id uuid UNIQUE NOT NULL, stream text NOT NULL, revision bigint NOT NULL,
    type text NOT NULL, data jsonb NOT NULL, metadata jsonb NOT NULL, UNIQUE (stream, revision));
`)

const codeRequest = z.object({ email: z.string() })
const codeTry = z.object({ userId: z.string(), otp: z.string(), session: z.string() })

const app = express().use(express.json())

app.post('/request-otp', async (request, response) => {
  const { email } = codeRequest.parse(request.body)
  await count(`request ${email}`)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const salt = randomBytes(16)
  await pool.query(
    `INSERT INTO bare.code VALUES ($1, $2, $3, 0, false)
     ON CONFLICT (user_id) DO UPDATE SET salt = excluded.salt, hash = excluded.hash, tries = 0, used = false`,
    [email, salt, await hashOf(code, salt, 32)],
  )
  await mails.sendMail({
    from: 'codes@example.com',
    to: email,
    subject: 'Your sign-in code',
    text: `Your sign-in code is ${code}.`,
  })
  await append(email, 'CodeRequested')
  response.json({ userId: email, session: await createSession(email) })
})

app.post('/verify-otp', async (request, response) => {
  const { userId, otp, session } = codeTry.parse(request.body)
  await count(`verify ${userId}`)
  const { rows } = await pool.query<{ salt: Buffer; hash: Buffer }>(
    'UPDATE bare.code SET tries = tries + 1 WHERE user_id = $1 AND NOT used RETURNING salt, hash',
    [userId],
  )
  const [row] = rows
  if (!row || !timingSafeEqual(await hashOf(otp, row.salt, 32), row.hash))
    return void response.status(400).json({ error: 'Invalid OTP' })
  await pool.query('UPDATE bare.code SET used = true WHERE user_id = $1', [userId])
  await pool.query('UPDATE bare.rate_limit SET points = points - 1 WHERE key = $1', [
    `verify ${userId}`,
  ])
  await append(userId, 'SignedIn')
  await pool.query('DELETE FROM bare.code WHERE user_id = $1', [userId])
  await pool.query('DELETE FROM bare.session WHERE sid = $1', [digest(session)])
  response.json({ isVerified: true, session: await createSession(userId) })
})

function count(key: string) {
  return pool.query(
    `INSERT INTO bare.rate_limit VALUES ($1, 1, now() + interval '15 minutes')
     ON CONFLICT (key) DO UPDATE SET points = bare.rate_limit.points + 1`,
    [key],
  )
}

function append(userId: string, type: string) {
  return pool.query(
    `INSERT INTO bare.event (id, stream, revision, type, data, metadata)
     SELECT $1, $2, coalesce(max(revision) + 1, 0), $3, $4, $5 FROM bare.event WHERE stream = $2`,
    [randomUUID(), `signIn-${userId}`, type, { email: userId }, { at: new Date().toISOString() }],
  )
}

async function createSession(userId: string): Promise<string> {
  const sid = randomBytes(32).toString('base64url')
  await pool.query("INSERT INTO bare.session VALUES ($1, $2, now() + interval '1 day')", [
    digest(sid),
    { subject: userId },
  ])
  return sid
}

function digest(sid: string): string {
  return createHash('sha256').update(sid).digest('hex')
}

const server = app.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
process.once('disconnect', () => process.exit(0))
