/** Replaces style sheets, pictures and fonts in jsdom, which has no layout. */
// React warns about an empty address.
export default '/asset'
