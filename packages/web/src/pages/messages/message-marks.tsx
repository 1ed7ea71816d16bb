import type { Message } from '@holdfast/client/dashboard'
import { CircleQuestionMark, Info, ListTodo, Megaphone, TriangleAlert, type LucideIcon } from 'lucide-react'
import classes from './message-marks.module.css'

/** Marks of messages, also on Home. */

export type Category = Message['category']

const looks: Readonly<Record<Category, { title: string; icon: LucideIcon }>> = {
  directive: { title: 'Directive', icon: Megaphone },
  question: { title: 'Question', icon: CircleQuestionMark },
  info: { title: 'Information', icon: Info },
  task: { title: 'Task', icon: ListTodo },
  alert: { title: 'Alert', icon: TriangleAlert },
}

export const categories = Object.keys(looks) as readonly Category[]

export const categoryOptions = categories.map((value) => ({ value, label: looks[value].title }))

export const titleOfCategory = (category: Category) => looks[category].title

/** `label`: what it says to those who don't see it. */
export function CategoryIcon({ category, label }: { category: Category; label?: string }) {
  const { icon: Icon } = looks[category]
  return (
    <Icon
      size={15}
      className={classes.icon}
      data-category={category}
      {...(label === undefined ? { 'aria-hidden': true } : { 'aria-label': label })}
    />
  )
}

export function CategoryMark({ category }: { category: Category }) {
  return (
    <span className={classes.mark}>
      <CategoryIcon category={category} />
      {titleOfCategory(category)}
    </span>
  )
}

/** The most urgent ones first. The order of equally urgent ones stays. */
export const byPriority = (a: Pick<Message, 'priority'>, b: Pick<Message, 'priority'>): number =>
  b.priority - a.priority
