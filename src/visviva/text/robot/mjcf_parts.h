// MJCF that stands for more MJCF: <include> and <replicate>, written out before a file is read.
#pragma once

#include <functional>

#include "visviva/text/robot/robot_xml.h"

namespace visviva {

/// Puts the elements of included files in the places of their <include>s, each file once.
void include_parts(RobotXml& xml, const RobotFiles& files);

/// Reads the angles of a <replicate> as the file's settings say, so many times as large.
using ReadEuler = std::function<RobotRotation(const pugi::xml_node&, double times)>;
/// Makes of each <replicate> its copies, each in a <frame>; names get the number of their copy.
void write_replicas(RobotXml& xml, const ReadEuler& read_euler);

}  // namespace visviva
