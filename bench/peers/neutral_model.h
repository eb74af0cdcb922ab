// A robot as Pinocchio's model, read from the neutral text that compare.py writes: gravity, and one line a joint.
//
//   g1 g2 g3
//   KIND PARENT r11 ... r33 p1 p2 p3 mass c1 c2 c3 I11 I12 I22 I13 I23 I33
// KIND is RX RY RZ PX PY PZ or FF; parents count from 0, the universe; I is about the mass center.
#pragma once

#include <pinocchio/multibody.hpp>

#include <fstream>
#include <string>

inline pinocchio::Model read_neutral_model(const std::string& path) {
  using namespace pinocchio;
  Model model;
  std::ifstream file(path);
  Eigen::Vector3d gravity;
  for (int i = 0; i < 3; ++i) file >> gravity[i];
  model.gravity.linear(gravity);
  std::string kind;
  std::size_t parent;
  while (file >> kind >> parent) {
    SE3::Matrix3 R;
    SE3::Vector3 p, c;
    double mass, I[6];
    for (int i = 0; i < 9; ++i) file >> R(i / 3, i % 3);
    for (int i = 0; i < 3; ++i) file >> p[i];
    file >> mass;
    for (int i = 0; i < 3; ++i) file >> c[i];
    for (double& x : I) file >> x;
    const SE3 place(R, p);
    const std::string name = "joint" + std::to_string(model.njoints);
    const auto add = [&](const auto& joint) { return model.addJoint(parent, joint, place, name); };
    const JointIndex at = kind == "RX"   ? add(JointModelRX())
                          : kind == "RY" ? add(JointModelRY())
                          : kind == "RZ" ? add(JointModelRZ())
                          : kind == "PX" ? add(JointModelPX())
                          : kind == "PY" ? add(JointModelPY())
                          : kind == "PZ" ? add(JointModelPZ())
                                         : add(JointModelFreeFlyer());
    const Symmetric3 inertia(I[0], I[1], I[2], I[3], I[4], I[5]);
    model.appendBodyToJoint(at, Inertia(mass, c, inertia), SE3::Identity());
  }
  return model;
}
