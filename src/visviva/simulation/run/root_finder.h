// RootFinder: where functions of one variable pass through zero or touch it. They are known by their values alone.
//
// On a piece of the interval a function is taken for smooth where the polynomial through nine of its
// values foretells four others, to a part of its range; other pieces are halved. Between values of
// different sign there is a root, found by bisection, unless what happens there does not get smaller
// with the interval: then it is a jump or a pole. A function that passes zero twice between two values
// shows an extremum of its polynomial there, which is looked at; where that is zero but for rounding, the function
// touches it. So does one with a corner there, and one that passes it by no more than its own errors. An extremum that is
// small beside the function, and does not reach zero, is told.
//
// What is not found: what happens entirely between the thirteen values of a piece that look smooth.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace visviva {

struct FoundRoot {
  std::size_t function;
  double place;
  bool is_rising;  ///< the value went from negative to positive; of a touch, it is positive around
  bool is_touch = false;  ///< zero is reached and not passed
};

/// An extremum next to zero: whether the function reaches it, errors of the function decide.
struct NearRoot {
  std::size_t function;
  double place, value;
};

struct RootsFound {
  std::vector<FoundRoot> roots;   ///< of each function in their order
  std::vector<FoundRoot> jumps;   ///< changes of sign at a jump or a pole
  std::vector<NearRoot> near;     ///< neither passed nor touched
  std::vector<NearRoot> shallow;  ///< passed and left again by less than errors: taken for touches
  std::vector<std::size_t> unresolved;  ///< functions too wild for so many pieces
  struct Gap {
    std::size_t function;
    double from;
  };
  std::vector<Gap> undefined;  ///< pieces on which a function has no value, as log(x) for x < 0
};

class RootFinder {
 public:
  /// Values of all functions at x. False where they cannot be had.
  using Function = std::function<bool(double x, double* values)>;

  /// A finder for `count` functions that divides an interval into so many pieces at most. Values may be wrong by `error`
  /// of the largest around.
  RootFinder(std::size_t count, std::size_t most_pieces, double error = 0.0);

  /// The roots in a < x <= b. `at_a` are the values at a: where one is zero the interval begins on a root, which
  /// does not count, or was counted in the interval that ended there if that was the last one. Roots are found to `width`.
  RootsFound find(const Function& f, double a, double b, const std::vector<double>& at_a,
                  double width);
  /// The largest |value| of a function seen so far where it is smooth.
  double largest(std::size_t i) const { return largest_[i]; }
  /// Part of the largest value around: an extremum that is less may be at zero.
  double next_to_zero() const { return next_to_zero_; }

 private:
  struct Piece {
    double a, b;
    std::vector<std::size_t> open;  // functions that were not smooth on a larger one
  };
  struct Place {
    double x, value;
  };
  bool look(double x, std::vector<double>* values);
  void look_at(const Piece& piece);
  void note_sizes();
  std::vector<Place> values_of(std::size_t i) const;
  bool is_smooth(std::size_t i) const;
  bool is_far_from_zero(std::size_t i) const;
  bool has_no_value(std::size_t i) const;
  void add_extrema(std::size_t i, const Piece& piece, std::vector<Place>* places);
  static void take_for_touch(Place extremum, double reach, double side, std::vector<Place>* places);
  Place approach_extremum(std::size_t i, double low, double high, double side,
                          std::vector<Place>* places);
  bool turns_at(std::size_t i, Place least, double reach, double side, double rounding);
  void search_junction(std::size_t i, const Piece& piece, double slope, double range);
  bool search_smooth(std::size_t i, const Piece& piece);
  void search_corner(std::size_t i, const Piece& piece);
  void search(std::size_t i, const std::vector<Place>& places, bool is_smooth);
  void begin_function(std::size_t i, double value);
  void count_at_end(std::size_t i);
  void add_touch(std::size_t i, double x, double apart);
  void bisect(std::size_t i, Place low, Place high, double small);

  std::size_t count_, most_pieces_;
  double error_, next_to_zero_;  // parts of the largest value around: less is zero, or may be
  std::vector<double> largest_, middle_;
  std::vector<double>
      size_;  // of each function, the largest |value| in the interval, as far as it was seen at first
  std::vector<int> given_up_;  // times that a function was unresolved

  // The search that goes on
  const Function* f_ = nullptr;
  double begin_ = 0.0, width_ = 0.0;
  double end_ = std::numeric_limits<double>::quiet_NaN();
  bool is_fresh_ = true;         // it does not begin where the last one ended
  std::vector<Place> last_;      // of each function, the last value that was not zero
  std::vector<Place> zero_;      // of each function, the least value since then; NaN for none
  std::vector<double> level_;    // of each function, below which it was zero last
  std::vector<double> counted_;  // likewise, since the last interval, where that was a root
  std::vector<double> xs_;       // of the piece
  std::vector<std::vector<double>> ys_;  // all functions at each of them
  struct Edge {
    double from, to, slope;
  };
  std::vector<Edge> edge_;  // of each function, the last smooth piece and the slope at its end
  std::vector<double>
      since_touch_;  // of each function, the largest |value| since it touched zero; infinite before
  std::vector<double> since_root_;  // likewise, since its last root
  RootsFound found_;
};

}  // namespace visviva
