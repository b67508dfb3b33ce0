import { erasedSubject, type KeyForReading } from '#services/event-store/encryption/personal-keys'

/** A personal key in plain hexadecimal digits; 'erased' for an erased subject. */
export function plainKey(key: KeyForReading): string {
  return key === erasedSubject ? key : key.export().toString('hex')
}
