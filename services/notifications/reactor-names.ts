/** The reactors that send. Stored names never change. */
export const mailReactorName = 'mails'
export const textReactorName = 'texts'
export const notificationReactors = [mailReactorName, textReactorName] as const
