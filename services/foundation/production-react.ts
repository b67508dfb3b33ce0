/*
 * Import this file before any other that imports React. React decides by NODE_ENV at its load which
 * build it is, and the development build takes twice the processor time for a page or a mail.
 * NODE_ENV itself stays as it is, because it decides about the sandbox. A file with JSX cannot be
 * the one that imports this file first: its own import of React comes before all others.
 */
const { NODE_ENV } = process.env
process.env.NODE_ENV = 'production'
await Promise.all([import('react'), import('react/jsx-runtime'), import('react-dom/server')])
if (NODE_ENV === undefined) delete process.env.NODE_ENV
else process.env.NODE_ENV = NODE_ENV

export {}
