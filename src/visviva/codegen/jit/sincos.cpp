#include "visviva/codegen/jit/sincos.h"

#if VISVIVA_CAN_EMIT

#include <bit>
#include <cmath>

// Symbols: x angle, k the multiple of pi/2 nearest to it, r + e = x - k pi/2 with e below half a unit
// of r, z = r^2. pi/2 = P1 + P2 + P3, each the double nearest to what the ones before leave.
//   t = fma(x, 2/pi, 1.5*2^52)   its last bits are k modulo 4, by rounding                       (1)
//   r1 = fma(-k, P1, x)          exact: a multiple of 2^-53 below 1 in magnitude                  (2)
//   p = k P2,  r = r1 - p,  e = ((r1 - r) - p) - (k P2 - p) - k P3                                (3)
//   sin(r + e) = r + (e + r z S(z))                                                              (4)
//   w = 1 - z/2,  cos(r + e) = w + ((1 - w - z/2) - r e + z^2 C(z))                              (5)
// Reduction: W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980, ch. 8. The
// polynomials S and C, of degree 5, and form (5) are those of Sun's fdlibm 5.3, k_sin.c and k_cos.c,
// whose error is below 2^-58 for |r| <= pi/4.

namespace visviva::jit {

using asmjit::imm;
namespace x86 = asmjit::x86;
namespace Inst = asmjit::x86::Inst;

namespace {

constexpr double limit = 1e5;
constexpr int quiet_not_less_equal = 0x16;  // true for NaN

// Lanes that (1) to (5) cannot do.
void fall_back(const double* x, double* sines, double* cosines, unsigned mask) {
  for (; mask != 0; mask &= mask - 1) {
    const int k = std::countr_zero(mask);
    sines[k] = std::sin(x[k]);
    cosines[k] = std::cos(x[k]);
  }
}

class SincosEmitter {
 public:
  SincosEmitter(Instructions& instructions, int lanes)
      : instructions_(instructions), a_(instructions.assembler()), lanes_(lanes) {}

  void emit() {
    const asmjit::Label rare = a_.newLabel();
    note_rare();
    reduce();
    sine();
    cosine();
    turn();
    a_.emit(Inst::kIdTest, x86::eax, x86::eax);
    a_.emit(Inst::kIdJnz, rare);
    a_.ret();
    a_.bind(rare);
    call_library();
    a_.ret();
  }

 private:
  enum Name { s_out = 0, c_out = 1, t = 2, k = 3, e = 4, r = 5, z = 6, p = 7, s = 8 };
  enum More { u = 9, c = 10, zz = 11, hz = 12, w = 13, v = 14, x = 15 };

  Instructions::Vec reg(int n) const {
    const auto type = lanes_ == 8 ? asmjit::RegType::kX86_Zmm : asmjit::RegType::kX86_Ymm;
    return Instructions::Vec::fromTypeAndId(type, static_cast<std::uint32_t>(n));
  }
  Instructions::Mem fixed(Fixed which, int offset = 0) const {
    Instructions::Mem m = instructions_.fixed_at(which, offset * fixed_size);
    if (lanes_ == 8) m.setBroadcast(Instructions::Mem::Broadcast::k1To8);
    return m;
  }
  void load(int n, Fixed which, int offset = 0) {
    a_.emit(Inst::kIdVbroadcastsd, reg(n), instructions_.fixed_at(which, offset * fixed_size));
  }
  template <typename Last>
  void op(std::uint32_t id, int to, int first, const Last& last) {
    if constexpr (std::is_integral_v<Last> || std::is_enum_v<Last>)
      a_.emit(id, reg(to), reg(first), reg(static_cast<int>(last)));
    else
      a_.emit(id, reg(to), reg(first), last);
  }
  void copy(int to, int from) { a_.emit(Inst::kIdVmovapd, reg(to), reg(from)); }

  // eax: the lanes that are too large or no numbers.
  void note_rare() {
    copy(x, 0);
    op(Inst::kIdVandpd, v, x, fixed(Fixed::magnitude));
    if (lanes_ == 8) {
      a_.emit(Inst::kIdVcmppd, x86::k1, reg(v), fixed(Fixed::limit), imm(quiet_not_less_equal));
      a_.emit(Inst::kIdKmovb, x86::eax, x86::k1);
    } else {
      a_.emit(Inst::kIdVcmppd, reg(v), reg(v), fixed(Fixed::limit), imm(quiet_not_less_equal));
      a_.emit(Inst::kIdVmovmskpd, x86::eax, reg(v));
    }
  }

  void reduce() {
    load(u, Fixed::rounder);
    copy(t, u);
    op(Inst::kIdVfmadd231pd, t, x, fixed(Fixed::two_over_pi));  // (1)
    op(Inst::kIdVsubpd, k, t, u);
    copy(e, x);
    op(Inst::kIdVfnmadd231pd, e, k, fixed(Fixed::pi_1));  // (2)
    load(v, Fixed::pi_2);
    op(Inst::kIdVmulpd, p, k, v);  // (3)
    op(Inst::kIdVsubpd, r, e, p);
    op(Inst::kIdVfmsub213pd, v, k, p);
    op(Inst::kIdVsubpd, e, e, r);
    op(Inst::kIdVsubpd, e, e, p);
    op(Inst::kIdVfmadd231pd, v, k, fixed(Fixed::pi_3));
    op(Inst::kIdVsubpd, e, e, v);
    op(Inst::kIdVmulpd, z, r, r);
  }

  void polynomial(int to, Fixed coefficients) {
    load(to, coefficients, 5);
    for (int n = 4; n >= 0; --n) op(Inst::kIdVfmadd213pd, to, z, fixed(coefficients, n));
  }

  // (4); the sign of r is put back for r = -0.
  void sine() {
    polynomial(p, Fixed::sine);
    op(Inst::kIdVmulpd, s, r, z);
    op(Inst::kIdVfmadd213pd, s, p, e);
    op(Inst::kIdVaddpd, s, s, r);
    op(Inst::kIdVandpd, u, r, fixed(Fixed::sign_bit));
    op(Inst::kIdVorpd, s, s, u);
  }

  void cosine() {  // (5)
    polynomial(c, Fixed::cosine);
    op(Inst::kIdVmulpd, zz, z, z);
    op(Inst::kIdVmulpd, hz, z, fixed(Fixed::half));
    load(v, Fixed::one);
    op(Inst::kIdVsubpd, w, v, hz);
    op(Inst::kIdVsubpd, v, v, w);
    op(Inst::kIdVsubpd, v, v, hz);
    op(Inst::kIdVfnmadd231pd, v, r, e);
    op(Inst::kIdVfmadd213pd, c, zz, v);
    op(Inst::kIdVaddpd, c, c, w);
  }

  // By k quarter turns: an odd k exchanges sine and cosine; bit 1 of k is the sign of the one, bit 1
  // plus bit 0 that of the other.
  void turn() {
    a_.emit(Inst::kIdVpsllq, reg(u), reg(t), imm(63));
    a_.emit(Inst::kIdVpsllq, reg(t), reg(t), imm(62));
    if (lanes_ == 8) {
      a_.emit(Inst::kIdVpmovq2m, x86::k1, reg(u));
      a_.k(x86::k1).emit(Inst::kIdVblendmpd, reg(s_out), reg(s), reg(c));
      a_.k(x86::k1).emit(Inst::kIdVblendmpd, reg(c_out), reg(c), reg(s));
    } else {
      a_.emit(Inst::kIdVblendvpd, reg(s_out), reg(s), reg(c), reg(u));
      a_.emit(Inst::kIdVblendvpd, reg(c_out), reg(c), reg(s), reg(u));
    }
    op(Inst::kIdVxorpd, u, u, t);
    op(Inst::kIdVandpd, u, u, fixed(Fixed::sign_bit));
    op(Inst::kIdVandpd, t, t, fixed(Fixed::sign_bit));
    op(Inst::kIdVxorpd, s_out, s_out, t);
    op(Inst::kIdVxorpd, c_out, c_out, u);
  }

  void call_library() {
    const Instructions::Gp kept[] = {x86::rdi, x86::rsi, x86::rdx, x86::rcx, x86::r8, x86::rbp};
    for (const auto& g : kept) a_.push(g);
    a_.mov(x86::rbp, x86::rsp);
    a_.sub(x86::rsp, 3 * 64);
    a_.and_(x86::rsp, -64);
    const int at_x = 0, at_s = 64, at_c = 128;
    a_.emit(Inst::kIdVmovupd, x86::ptr(x86::rsp, at_x), reg(x));
    a_.emit(Inst::kIdVmovupd, x86::ptr(x86::rsp, at_s), reg(s_out));
    a_.emit(Inst::kIdVmovupd, x86::ptr(x86::rsp, at_c), reg(c_out));
    a_.vzeroupper();
    a_.lea(x86::rdi, x86::ptr(x86::rsp, at_x));
    a_.lea(x86::rsi, x86::ptr(x86::rsp, at_s));
    a_.lea(x86::rdx, x86::ptr(x86::rsp, at_c));
    a_.mov(x86::ecx, x86::eax);
    a_.mov(x86::rax, imm(reinterpret_cast<std::uintptr_t>(&fall_back)));
    a_.call(x86::rax);
    a_.emit(Inst::kIdVmovupd, reg(s_out), x86::ptr(x86::rsp, at_s));
    a_.emit(Inst::kIdVmovupd, reg(c_out), x86::ptr(x86::rsp, at_c));
    a_.mov(x86::rsp, x86::rbp);
    for (int n = 5; n >= 0; --n) a_.pop(kept[n]);
  }

  Instructions& instructions_;
  Instructions::Assembler& a_;
  int lanes_;
};

}  // namespace

std::array<double, static_cast<std::size_t>(Fixed::count)> fixed_constants() {
  const auto bits = [](std::uint64_t b) { return std::bit_cast<double>(b); };
  return {bits(std::uint64_t{1} << 63),
          bits(~(std::uint64_t{1} << 63)),
          1.0,
          0.0,
          0.5,
          0x1.45f306dc9c883p-1,  // 2/pi
          0x1.8p52,
          limit,
          0x1.921fb54442d18p+0,  // pi/2 in three parts
          0x1.1a62633145c07p-54,
          -0x1.f1976b7ed8fbcp-110,
          -1.66666666666666324348e-01,
          8.33333333332248946124e-03,
          -1.98412698298579493134e-04,
          2.75573137070700676789e-06,
          -2.50507602534068634195e-08,
          1.58969099521155010221e-10,
          4.16666666666666019037e-02,
          -1.38888888888741095749e-03,
          2.48015872894767294178e-05,
          -2.75573143513906633035e-07,
          2.08757232129817482790e-09,
          -1.13596475577881948265e-11};
}

void emit_sincos(Instructions& instructions, int lanes) {
  SincosEmitter(instructions, lanes).emit();
}

}  // namespace visviva::jit

#endif
