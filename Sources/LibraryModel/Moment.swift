/// A day, a month or a year in which pictures were taken (S58).
package struct Moment: Hashable, Sendable {
  /// How long it is.
  package enum Unit: Hashable, Sendable, CaseIterable {
    /// A day of the host's.
    case day
    /// A month.
    case month
    /// A year.
    case year
  }

  /// When it begins: seconds since 1970.
  package let start: Int64
  /// How many assets were created in it.
  package let count: Int
  /// The first of them.
  package let first: AssetID

  /// A moment.
  package init(start: Int64, count: Int, first: AssetID) {
    self.start = start
    self.count = count
    self.first = first
  }
}

extension Moment.Unit {
  /// The first day of what a day is in: days from 1970-01-01.
  ///
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that the leap day is the
  /// last.
  package func firstDay(of day: Int64) -> Int64 {
    if self == .day { return day }
    let shifted = day + 719_468
    let era = shifted.dividedDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let firstOfMonth = day - (dayOfYear - (153 * month + 2) / 5)
    if self == .month { return firstOfMonth }
    // January and February are the last two of a year that begins in March.
    if month >= 10 { return month == 10 ? firstOfMonth : firstOfMonth - 31 }
    let isLeap = { (year: Int64) in year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
    return day - dayOfYear - (isLeap(yearOfEra) ? 60 : 59)
  }
}
