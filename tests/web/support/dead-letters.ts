import type { DeadLetterItem } from '#contracts/admin/dead-letters'

export const deadLetter: DeadLetterItem = {
  reactor: 'mails',
  event_id: '6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e01',
  message: 'mail',
  about: 'Payment succeeded',
  stream: 'billing-usr_1',
  revision: 4,
  user_id: 'usr_1',
  attempts: 32,
  last_error: 'EENVELOPE, 554, DATA',
  dead_at: '2026-03-12T09:00:00.000Z',
}
