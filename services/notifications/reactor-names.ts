/** The reactors of notifications. Stored names never change. */
export const mailReactorName = 'mails'
export const textReactorName = 'texts'
export const administratorMailReactorName = 'administrator-mails'
export const dateReactorName = 'dates'

/** Those that send. */
export const sendingReactors = [
  mailReactorName,
  textReactorName,
  administratorMailReactorName,
] as const
/** Those that skip old events. */
export const notificationReactors = [...sendingReactors, dateReactorName] as const
