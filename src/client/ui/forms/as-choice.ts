/** A record as a choice of a field. */
export const asChoice = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name })
