const dayFormat = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short' })

/** The day of an instant, `20/11/2026`, in the device's zone. */
export const dayOfInstant = (instant: string): string => dayFormat.format(new Date(instant))
